import { JAVA, PYTHON, type Ecosystem } from "platform-contract/libraries/artifacts";

/** A demo library. The names are real, so that the list looks real; versions, times and sizes are made up. */
export interface DemoLibrary {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly description: string;
  /** The oldest version; the others are derived from it. */
  readonly from: string;
  /** Suffix of each version: `.Final`, `-jre`. */
  readonly suffix?: string;
  /** The number of versions, and the size of each, in kB. */
  readonly releases: number;
  readonly size: number;
  /** CUDA versions that the newest third of the versions was built for. */
  readonly cuda?: readonly string[];
}

const python = (
  name: string,
  from: string,
  releases: number,
  size: number,
  description: string,
  cuda?: readonly string[],
): DemoLibrary => ({ ecosystem: PYTHON, name, from, releases, size, description, ...(cuda && { cuda }) });

const java = (
  name: string,
  from: string,
  releases: number,
  size: number,
  description: string,
  suffix = "",
): DemoLibrary => ({ ecosystem: JAVA, name, from, releases, size, description, suffix });

const CUDA = ["11.8", "12.1", "12.4"];

export const LIBRARIES: readonly DemoLibrary[] = [
  python("aiohttp", "3.9.0", 21, 1_240, "Asynchronous HTTP client and server"),
  python("boto3", "1.34.0", 96, 139, "AWS services from Python"),
  python("certifi", "2024.2.0", 14, 163, "Root certificates, as Mozilla collects them"),
  python("cryptography", "42.0.0", 24, 3_900, "Recipes and primitives of cryptography"),
  python("cupy", "13.0.0", 9, 95_000, "Arrays like those of NumPy, computed on a GPU", CUDA),
  python("Django", "4.2.8", 31, 8_100, "Web framework with an admin site"),
  python("fastapi", "0.109.0", 42, 92, "Web framework for APIs, by type hints"),
  python("Flask", "3.0.0", 8, 101, "Small web framework"),
  python("gunicorn", "21.2.0", 7, 80, "WSGI HTTP server for UNIX"),
  python("httpx", "0.26.0", 12, 75, "HTTP client, synchronous and asynchronous"),
  python("jax", "0.4.23", 18, 1_800, "Differentiates and compiles programs of arrays", CUDA),
  python("Jinja2", "3.1.2", 7, 133, "Template engine"),
  python("numpy", "1.26.0", 20, 18_200, "Arrays of numbers, and linear algebra"),
  python("pandas", "2.1.4", 14, 11_700, "Tables, time series and statistics"),
  python("pillow", "10.2.0", 11, 4_400, "Reads, changes and writes images"),
  python("protobuf", "4.25.0", 26, 294, "Protocol Buffers"),
  python("psycopg", "3.1.17", 15, 178, "PostgreSQL adapter"),
  python("pydantic", "2.5.0", 37, 394, "Data validation by type hints"),
  python("PyYAML", "6.0.0", 4, 700, "YAML parser and emitter"),
  python("requests", "2.31.0", 9, 63, "HTTP for people"),
  python("scikit-learn", "1.3.2", 13, 12_400, "Machine learning"),
  python("SQLAlchemy", "2.0.24", 22, 3_200, "SQL toolkit and object mapper"),
  python("torch", "2.1.2", 11, 797_000, "Tensors and neural networks, with or without a GPU", CUDA),
  python("torchvision", "0.16.2", 11, 6_800, "Images and video for torch", CUDA),
  python("transformers", "4.36.0", 40, 8_200, "Pretrained models for text, images and sound"),
  python("urllib3", "2.1.0", 10, 121, "HTTP client with a pool of connections"),
  python("uvicorn", "0.25.0", 17, 61, "ASGI web server"),
  python("vllm", "0.4.0", 16, 205_000, "Serves large language models", ["12.1", "12.4"]),
  java("ch.qos.logback:logback-classic", "1.4.14", 16, 274, "Logging, the classic module of Logback"),
  java("com.fasterxml.jackson.core:jackson-databind", "2.16.0", 19, 1_600, "Binds JSON to Java objects"),
  java("com.google.guava:guava", "33.0.0", 9, 3_000, "Collections, caching and text of Google", "-jre"),
  java("com.squareup.okhttp3:okhttp", "4.12.0", 6, 789, "HTTP client"),
  java("com.zaxxer:HikariCP", "5.1.0", 5, 162, "Pool of JDBC connections"),
  java("io.grpc:grpc-netty-shaded", "1.60.0", 23, 9_500, "gRPC over a Netty of its own"),
  java("io.netty:netty-handler", "4.1.100", 28, 560, "TLS and other handlers of Netty", ".Final"),
  java("org.apache.kafka:kafka-clients", "3.6.1", 12, 4_900, "Kafka producer, consumer and admin client"),
  java("org.apache.logging.log4j:log4j-core", "2.22.0", 13, 1_900, "Logging, the core of Log4j"),
  java("org.apache.tomcat.embed:tomcat-embed-core", "10.1.17", 25, 3_500, "Tomcat, to be embedded"),
  java("org.bouncycastle:bcprov-jdk18on", "1.77", 6, 8_300, "Cryptography provider of Bouncy Castle"),
  java("org.hibernate.orm:hibernate-core", "6.4.1", 21, 11_400, "Object mapper for SQL", ".Final"),
  java("org.postgresql:postgresql", "42.7.1", 8, 1_080, "PostgreSQL driver for JDBC"),
  java("org.slf4j:slf4j-api", "2.0.9", 9, 68, "One face of many loggers"),
  java(
    "org.springframework.boot:spring-boot-starter-web",
    "3.2.0",
    27,
    5,
    "Web applications with Spring MVC",
  ),
  java("org.springframework:spring-core", "6.1.2", 30, 1_900, "Core of the Spring Framework"),
  java("org.yaml:snakeyaml", "2.2", 4, 334, "YAML parser and emitter"),
];
