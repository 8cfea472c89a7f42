// @ts-check
import { gzipSync, deflateRawSync, crc32 } from 'node:zlib'

/** @typedef {{ readonly name: string, readonly type?: string, readonly link?: string, readonly content?: Buffer }} Part */
/** @typedef {(count: number, random: import('../random.mjs').Random) => Buffer} Structure */

const skill = Buffer.from('---\nname: a\ndescription: Is a skill.\n---\nText.\n')
/** @type {Part} */
const sound = { name: 'a/SKILL.md', content: skill }

/** Makes a tar header and the content that follows it. @param {Part} part */
function tarPart({ name, type = '0', link = '', content = Buffer.alloc(0) }) {
  const head = Buffer.alloc(512)
  head.write(name.slice(0, 100), 0)
  head.write('0000644\0', 100)
  head.write('0000000\0', 108)
  head.write('0000000\0', 116)
  head.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  head.write('00000000000\0', 136)
  head.write('        ', 148)
  head.write(type, 156)
  head.write(link.slice(0, 100), 157)
  head.write('ustar\x0000', 257, 'latin1')
  let sum = 0
  for (const byte of head) sum += byte
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([head, content, Buffer.alloc((512 - (content.length % 512)) % 512)])
}

/** Makes an entry, with its name or target in a header of its own if it is long. @param {Part} part */
function longPart(part) {
  const records = [
    ...(part.name.length > 100 ? [['path', part.name]] : []),
    ...((part.link ?? '').length > 100 ? [['linkpath', part.link ?? '']] : []),
  ]
  if (records.length === 0) return tarPart(part)
  const text = records
    .map(([key = '', value = '']) => {
      const rest = ` ${key}=${value}\n`
      let length = Buffer.byteLength(rest)
      while (String(length).length + Buffer.byteLength(rest) !== length)
        length = String(length).length + Buffer.byteLength(rest)
      return `${length}${rest}`
    })
    .join('')
  return Buffer.concat([tarPart({ name: 'x', type: 'x', content: Buffer.from(text) }), tarPart(part)])
}

/** @param {readonly Part[]} parts */
function tgz(parts) {
  return gzipSync(Buffer.concat([...parts.map(longPart), Buffer.alloc(1024)]), { level: 1 })
}

/**
 * Makes a zip archive, with any value that a directory can have.
 * @param {readonly { name: string, content: Buffer, mode?: number, at?: number, said?: number }[]} files
 */
function zip(files) {
  /** @type {Buffer[]} */
  const bodies = []
  /** @type {Buffer[]} */
  const entries = []
  let offset = 0
  for (const { name, content, mode = 0o100644, at, said = content.length } of files) {
    const raw = Buffer.from(name)
    const packed = deflateRawSync(content)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(8, 8)
    head.writeUInt32LE(crc32(content), 14)
    head.writeUInt32LE(packed.length, 18)
    head.writeUInt32LE(said, 22)
    head.writeUInt16LE(raw.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(0x031e, 4)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(crc32(content), 16)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(said, 24)
    entry.writeUInt16LE(raw.length, 28)
    entry.writeUInt32LE((mode << 16) >>> 0, 38)
    entry.writeUInt32LE(at ?? offset, 42)
    bodies.push(head, raw, packed)
    offset += head.length + raw.length + packed.length
    entries.push(entry, raw)
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length & 0xffff, 8)
  end.writeUInt16LE(files.length & 0xffff, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...bodies, directory, end])
}

/** @template T @param {number} count @param {(at: number) => T} make */
const range = (count, make) => Array.from({ length: count }, (_, at) => make(at))
const nothing = Buffer.alloc(0)

/**
 * Small archives that cost much if something grows faster than they do: each for a number of entries, folders, links or
 * bytes.
 * @type {Readonly<Record<string, Structure>>}
 */
export const structures = {
  'one name of many folders': count => tgz([sound, { name: `a/${'d/'.repeat(count)}f` }]),
  'one name of many dots': count => tgz([sound, { name: `a/${'./'.repeat(count)}f` }]),
  'many names of many folders': count =>
    tgz([sound, ...range(count / 10, at => ({ name: `b${at}/${'d/'.repeat(60)}f` }))]),
  'many names too deep': count => tgz([sound, ...range(count / 10, at => ({ name: `b${at}/${'d/'.repeat(400)}f` }))]),
  'long names': (count, random) =>
    tgz([sound, ...range(count / 10, at => ({ name: `${'n'.repeat(1 + random.below(5000))}${at}` }))]),
  'files of no bytes': count => tgz([sound, ...range(count, at => ({ name: `a/f${at}` }))]),
  'a chain of links': count => tgz([sound, ...range(count, at => ({ name: `l${at}`, type: '2', link: `l${at + 1}` }))]),
  'a chain of links with long targets': count =>
    tgz([sound, ...range(count / 10, at => ({ name: `l${at}`, type: '2', link: `${'./'.repeat(1800)}l${at + 1}` }))]),
  'links to one folder': count => tgz([sound, ...range(count, at => ({ name: `b/l${at}`, type: '2', link: '../a' }))]),
  'links to the folder they are in': count =>
    tgz([sound, ...range(count, at => ({ name: `b/l${at}`, type: '2', link: '.' }))]),
  'links that lead up and down': (count, random) =>
    tgz([
      sound,
      ...range(count, at => ({
        name: `b/l${at}`,
        type: '2',
        link: `${'../b/'.repeat(random.below(30))}l${random.below(count)}`,
      })),
    ]),
  'links out of it': count => tgz([sound, ...range(count, at => ({ name: `l${at}`, type: '2', link: '../../etc' }))]),
  'a chain of hard links': count =>
    tgz([sound, ...range(count, at => ({ name: `h${at}`, type: '1', link: at === 0 ? 'a/SKILL.md' : `h${at - 1}` }))]),
  'one folder many times': count => tgz([sound, ...range(count, () => ({ name: 'b/', type: '5' }))]),
  'headers for no entry': count =>
    tgz([...range(count, () => ({ name: 'x', type: 'x', content: Buffer.from('11 path=ab\n') })), sound]),
  'headers for all entries': count =>
    tgz([
      ...range(count, at => ({ name: 'x', type: 'g', content: Buffer.from(`20 comment=${String(at).padStart(7)}\n`) })),
      sound,
    ]),
  'a large header': count => tgz([{ name: 'x', type: 'x', content: Buffer.alloc(count * 10, 'y') }, sound]),
  'many skills': count => tgz(range(count / 4, at => ({ name: `s${at}/SKILL.md`, content: skill }))),
  'skills within skills': count =>
    tgz(range(count / 40, at => ({ name: `${'s/'.repeat(1 + (at % 60))}${at}/SKILL.md`, content: skill }))),
  zeros: count => tgz([sound, { name: 'b', content: Buffer.alloc(count * 1000) }]),
  'zip: files of no bytes': count =>
    zip([
      { name: 'a/SKILL.md', content: skill },
      ...range(Math.min(count, 65_000), at => ({ name: `a/f${at}`, content: nothing })),
    ]),
  'zip: long names': count =>
    zip([
      { name: 'a/SKILL.md', content: skill },
      ...range(count / 100, at => ({ name: `${'d/'.repeat(20_000)}${at}`, content: nothing })),
    ]),
  'zip: links': count =>
    zip([
      { name: 'a/SKILL.md', content: skill },
      ...range(Math.min(count, 20_000), at => ({ name: `l${at}`, content: Buffer.from(`l${at + 1}`), mode: 0o120777 })),
    ]),
  'zip: shared bytes': count =>
    zip([
      { name: 'a/SKILL.md', content: Buffer.concat([skill, Buffer.alloc(900_000, 'x ')]) },
      ...range(Math.min(count / 10, 5000), at => ({ name: `s${at}/SKILL.md`, content: nothing, at: 0, said: 900_047 })),
    ]),
  'zip: zeros': count =>
    zip([
      { name: 'a/SKILL.md', content: skill },
      { name: 'b/SKILL.md', content: Buffer.alloc(count * 1000) },
    ]),
  'many names that fold alike': count =>
    tgz([sound, ...range(count / 10, at => ({ name: `b/${'ſ'.repeat(80)}${at}` }))]),
}
