import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sqlite from 'node-sqlite3-wasm'
import { openSkills, SkillsError } from '@skills/host'
import { enginePort } from '@skills/invocation/skill-tool'
import { house } from './house.js'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'custom-distribution-')))
const database = new sqlite.Database(join(folder, 'skills.db'))
try {
  database.exec(
    'CREATE TABLE skills (name TEXT PRIMARY KEY, team TEXT, description TEXT, bytes INTEGER AS (octet_length(body)) STORED, body TEXT NOT NULL)',
  )
  const put = (name: string, team: string | null, description: string, body: string) =>
    database.run('INSERT INTO skills (name, team, description, body) VALUES (?, ?, ?, ?)', [
      name,
      team,
      description,
      body,
    ])
  put('greet', null, 'Greets as the house does.', 'Welcome $0 to the house.')
  put('invoice', 'accounts', 'Writes an invoice.', 'Write an invoice.')
  put('release', 'tools', 'Releases what is built.', 'Release it.')
  for (const name of ['greet', 'review']) {
    mkdirSync(join(folder, 'project/.claude/skills', name), { recursive: true })
    writeFileSync(
      join(folder, 'project/.claude/skills', name, 'SKILL.md'),
      `---\nname: ${name}\ndescription: The project's own ${name}.\n---\nOf the project.\n`,
    )
  }

  const skills = await openSkills(house, {
    cwd: join(folder, 'project'),
    home: join(folder, 'home'),
    env: {},
    team: 'tools',
    database,
    allow: ['Skill(greet)'],
  })
  try {
    const { text } = await enginePort(skills.engine).listing({})
    console.log(text)
    // The database wins the name, and the project's skill has a qualified name. Skills of another team and skills that
    // a rule denies are not listed.
    assert.deepEqual(
      text
        .split('\n')
        .map(line => line.split(' | ')[0]?.slice(2))
        .sort(),
      ['greet', 'project:greet', 'review'],
    )

    const { newMessages } = await skills.invoke('greet', { args: 'everybody' })
    assert.deepEqual(newMessages.find(({ isMeta }) => isMeta)?.content, [
      { type: 'text', text: 'Welcome everybody to the house.' },
    ])

    // A rule denies the first skill. The second is harmless, but no rule allows it.
    for (const name of ['release', 'review']) {
      const refused = await skills.invoke(name).then(
        () => undefined,
        (error: unknown) => error,
      )
      assert.ok(SkillsError.is(refused) && refused.code === 'E_DENIED')
      console.log(refused.message.split('\n')[0])
    }
    console.log('As expected.')
  } finally {
    await skills.close()
  }
} finally {
  database.close()
  rmSync(folder, { recursive: true, force: true })
}
