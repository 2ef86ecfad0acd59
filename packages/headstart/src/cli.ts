#!/usr/bin/env node
import { main } from "./main.js";

// Never process.exit(): it would cut off output that a pipe has not taken yet.
process.exitCode = await main(process.argv.slice(2));
