#!/usr/bin/env node
/** The command line of a checkout: that of the product, and simulated cameras, which are not installed. */
import { runCommandLine } from '../../server/bin/command-line.ts'
import { COMMANDS } from '../../server/bin/commands.ts'
import { CAMERA_COMMANDS } from './camera-commands.ts'

await runCommandLine(new Map([...COMMANDS, ...CAMERA_COMMANDS]))
