#!/usr/bin/env node
/** The command line (decisions 11), as it is installed. */
import { runCommandLine } from './command-line.ts'
import { COMMANDS } from './commands.ts'

await runCommandLine(COMMANDS)
