#!/usr/bin/env node
import { runCommandLine } from './command-line/command.ts'

process.exitCode = await runCommandLine(process.argv)
