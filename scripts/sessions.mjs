#!/usr/bin/env node
// @ts-check
// node scripts/sessions.mjs [--write] [PAGE…]: checks that the output shown in terminal sessions of the documents is what
// their commands print. With --write it rewrites that output. Node runs the built packages, so build them first.
import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { root } from '../packages/config/workspace.mjs'

const words = process.argv.slice(2)
const pages = words.filter(word => word !== '--write').map(page => page.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    'packages/cli/test/sessions.test.ts',
    '--typecheck.enabled=false',
    ...(pages.length > 0 ? ['--testNamePattern', pages.join('|')] : []),
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...(words.includes('--write') && { SKILLS_WRITE_SESSIONS: '1' }) },
  },
)
process.exitCode = status ?? 1
