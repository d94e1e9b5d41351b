#!/usr/bin/env node
import { existsSync } from 'node:fs'

// The package comes without its sources; in a checkout they run as they are, built or not.
const sources = new URL('../src/cli.ts', import.meta.url)
await import(existsSync(sources) ? sources.href : '../dist/cli.js')
