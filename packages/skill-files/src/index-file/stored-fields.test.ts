import { expect, test } from 'vitest'
import { FileSkill, type RootContext } from '../file-skill.js'
import { StoredFields } from './stored-fields.js'

const context: RootContext = { root: { path: '/root' }, source: 'user', qualifier: 'user', onChanged: () => {}, reread: () => Promise.reject(new Error('Nothing is read here.')) }
const file = { name: 'deploy', path: '/root/deploy/SKILL.md', folder: '/root/deploy', identity: { realPath: '/root/deploy/SKILL.md', dev: 1, ino: 1, size: 100, mtimeMs: 0, ctimeMs: 0 } }

test('whether somebody described a skill is told without its description being taken out of the index', () => {
  let taken = 0
  const texts = Buffer.from('Ships it.')
  const counted = Object.assign(Buffer.from(texts), {
    toString(...range: Parameters<Buffer['toString']>) {
      taken++
      return texts.toString(...range)
    },
  })
  const skill = new FileSkill(context, file, new StoredFields(counted, 0, texts.length, texts.length, texts.length), '', 90)
  expect([skill.hasUserSpecifiedDescription, taken]).toEqual([true, 0])
  expect([skill.description, taken]).toEqual(['Ships it.', 1])
})
