// The stylesheets that Mantine's Button needs, in the order that it needs them: import this beside Button.
import "@mantine/core/styles/UnstyledButton.css";
import "@mantine/core/styles/Loader.css";
import "@mantine/core/styles/Button.css";
