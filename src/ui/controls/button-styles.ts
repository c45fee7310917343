// The stylesheets that Mantine's Button needs, in the required order: import this along with Button.
import "@mantine/core/styles/UnstyledButton.css";
import "@mantine/core/styles/Loader.css";
import "@mantine/core/styles/Button.css";
