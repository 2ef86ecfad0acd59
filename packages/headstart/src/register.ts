import { register } from "node:module";

register(new URL("./register-hooks.js", import.meta.url));
