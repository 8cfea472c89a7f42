#!/usr/bin/env node
// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { root } from '../packages/config/workspace.mjs'

// Makes the pictures of the README and of the site again: the page of `skills ui` over a small project, in a real browser.

const skills = {
  'home/.claude/skills/deploy': 'Ship the current branch to staging. Use when the user asks to deploy.',
  'project/.claude/skills/deploy': 'Ship the project from its main branch. Use when the user asks to deploy.',
  'project/.claude/skills/release-notes': 'Write release notes: what changed, and for whom. Use before a release.',
  'project/.claude/skills/review': 'Review a change for faults and missing tests. Use before a merge.',
  // Without quotes around its description, which can be repaired.
  'project/.claude/skills/triage': 'Sort new issues: bug, wish or question. Use when an issue is opened.',
}
const { chromium } = createRequire(path.join(root, 'packages/cli/package.json'))('playwright-core')
// The name of the folder is visible in the picture.
const folder = path.join(tmpdir(), 'skills-picture')
rmSync(folder, { recursive: true, force: true })
for (const [place, description] of Object.entries(skills)) {
  const name = path.basename(place)
  mkdirSync(`${folder}/${place}`, { recursive: true })
  const lines = ['---', `name: ${name}`, `description: ${description}`, '---', '', `Do what ${name} is for.`, '']
  writeFileSync(`${folder}/${place}/SKILL.md`, lines.join('\n'))
}
mkdirSync(`${folder}/project/.git`)
const program = path.join(root, 'packages/cli/dist/skills.cjs')
const child = spawn(process.execPath, [program, 'ui', '--home', `${folder}/home`], {
  cwd: `${folder}/project`,
  stdio: ['ignore', 'ignore', 'pipe'],
})
const browser = await chromium.launch({
  executablePath: process.env['SKILLS_CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-background-networking'],
})
try {
  const [said] = await once(child.stderr, 'data')
  const url = /http:\S+/.exec(String(said))?.[0]
  if (url === undefined) throw new Error(`skills ui said no address: ${said}`)
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } })
  await page.goto(url)
  await page.getByText('costs the model').waitFor()
  const pictures = path.join(root, 'docs/pictures')
  mkdirSync(pictures, { recursive: true })
  await page.screenshot({ path: path.join(pictures, 'health.png') })
  await page.locator('.skill').filter({ hasText: 'Ship the current' }).click()
  await page.getByText('Where it comes from').waitFor()
  await page.locator('.agents-of').waitFor()
  await page.screenshot({ path: path.join(pictures, 'ui.png') })
  console.log(`The pictures are in ${path.relative(process.cwd(), pictures)}`)
} finally {
  await browser.close()
  child.kill('SIGINT')
  await once(child, 'close')
  rmSync(folder, { recursive: true, force: true })
}
