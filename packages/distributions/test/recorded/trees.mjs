// @ts-check

/**
 * Small tree of skills that is shown to a program. Paths begin with `project/` or `home/`. `@` in them is the folder
 * that a program certainly reads, such as `.agents`. A value is the text of a file, or the target of a link, relative
 * to the link. `<ROOT>` in a text is the folder that holds both.
 * @typedef {{ id: string, cwd?: string, files: Readonly<Record<string, string | { readonly link: string }>> }} Tree
 * @typedef {{ project: string, home: string }} Folders folder for `@` in each
 */

const skill = (/** @type {string} */ name, description = `What ${name} does.`, more = '') =>
  `---\nname: ${name}\ndescription: ${description}\n${more}---\nBody of ${name}.\n`

/** Returns one skill in one folder. */
const at = (/** @type {string} */ folder) => ({ [`${folder}/one/SKILL.md`]: skill('one') })

/** Returns a SKILL.md in a folder `one`, in the folder that the program certainly reads (`@`). */
const read = (/** @type {string} */ text, folder = 'one', file = 'SKILL.md') => ({
  [`project/@/skills/${folder}/${file}`]: text,
})

/** Returns the files of a tree for a program that reads these folders. @param {Tree} tree @param {Folders} folders */
export const filesFor = ({ files }, folders) =>
  Object.entries(files).map(([name, content]) => {
    const file = name.replace('@', name.startsWith('home/') ? folders.home : folders.project)
    return /** @type {const} */ ([file, content])
  })

const folders = [
  'project/.agents/skills',
  'project/.claude/skills',
  'project/.codex/skills',
  'project/.gemini/skills',
  'project/.opencode/skills',
  'project/.opencode/skill',
  'project/.pi/skills',
  'project/.agent/skills',
  'project/.github/skills',
  'project/.cursor/skills',
  'project/skills',
  'home/.agents/skills',
  'home/.claude/skills',
  'home/.codex/skills',
  'home/.gemini/skills',
  'home/.opencode/skills',
  'home/.config/opencode/skills',
  'home/.config/opencode/skill',
  'home/.pi/agent/skills',
  'home/.pi/skills',
  'home/.agent/skills',
  'home/.cursor/skills',
  'home/.config/agents/skills',
]

/** @type {readonly Tree[]} */
const places = [
  ...folders.map(folder => ({ id: `place ${folder}`, files: at(folder) })),
  { id: 'parent of the working folder', cwd: 'project/sub/folder', files: read(skill('one')) },
  { id: 'below the working folder', files: { 'project/sub/@/skills/one/SKILL.md': skill('one') } },
  {
    id: 'one name in project and home',
    files: { ...read(skill('one', 'Of the project.')), 'home/@/skills/one/SKILL.md': skill('one', 'Of the user.') },
  },
  { id: 'nested once', files: read(skill('one'), 'group/one') },
  { id: 'nested thrice', files: read(skill('one'), 'a/b/c/one') },
  { id: 'inside another skill', files: { ...read(skill('outer'), 'outer'), ...read(skill('inner'), 'outer/inner') } },
  { id: 'hidden folder', files: read(skill('one'), '.one') },
  { id: 'node_modules', files: read(skill('one'), 'node_modules/one') },
  { id: 'file at the root of skills', files: read(skill('one'), '.') },
  { id: 'file without a folder', files: read(skill('one'), '.', 'one.md') },
  { id: 'lower case file name', files: read(skill('one'), 'one', 'skill.md') },
  { id: 'ending in capitals', files: read(skill('one'), 'one', 'SKILL.MD') },
  {
    id: 'link to a folder in the project',
    files: { 'project/kept/one/SKILL.md': skill('one'), 'project/@/skills/one': { link: '../../kept/one' } },
  },
  {
    id: 'link to a file in the project',
    files: { 'project/kept/one.md': skill('one'), 'project/@/skills/one/SKILL.md': { link: '../../../kept/one.md' } },
  },
  {
    id: 'link that leads nowhere',
    files: { ...read(skill('two'), 'two'), 'project/@/skills/one': { link: '../../gone' } },
  },
]

/** @type {readonly Tree[]} */
const names = [
  { id: 'name unlike the folder', files: read(skill('other')) },
  { id: 'no name', files: read('---\ndescription: What it does.\n---\nBody.\n') },
  { id: 'empty name', files: read('---\nname: ""\ndescription: What it does.\n---\nBody.\n') },
  { id: 'number as name', files: read('---\nname: 12\ndescription: What it does.\n---\nBody.\n') },
  { id: 'list as name', files: read('---\nname: [a]\ndescription: What it does.\n---\nBody.\n') },
  { id: 'capitals in the name', files: read(skill('ONE')) },
  { id: 'space in the name', files: read(skill('one two')) },
  { id: 'underscore in the name', files: read(skill('one_two')) },
  { id: 'colon in the name', files: read(skill('"one:two"')) },
  { id: 'letter outside ASCII in the name', files: read(skill('élan')) },
  { id: 'two hyphens in the name', files: read(skill('one--two')) },
  { id: 'name of 64 characters', files: read(skill('n'.repeat(64))) },
  { id: 'name of 65 characters', files: read(skill('n'.repeat(65))) },
]

/** @type {readonly Tree[]} */
const descriptions = [
  { id: 'no description', files: read('---\nname: one\n---\nBody.\n') },
  { id: 'empty description', files: read('---\nname: one\ndescription:\n---\nBody.\n') },
  { id: 'blank description', files: read('---\nname: one\ndescription: "  "\n---\nBody.\n') },
  { id: 'number as description', files: read('---\nname: one\ndescription: 5\n---\nBody.\n') },
  { id: 'list as description', files: read('---\nname: one\ndescription: [a, b]\n---\nBody.\n') },
  {
    id: 'description over lines',
    files: read('---\nname: one\ndescription: >\n  First line\n  and second.\n---\nBody.\n'),
  },
  { id: 'colon in the description', files: read(skill('one', 'Use it: now.')) },
  { id: 'hash in the description', files: read(skill('one', 'Closes #5 of them.')) },
  { id: 'description of 1,024 characters', files: read(skill('one', 'd'.repeat(1024))) },
  { id: 'description of 1,025 characters', files: read(skill('one', 'd'.repeat(1025))) },
]

/** @type {readonly Tree[]} */
const frontmatter = [
  { id: 'no frontmatter', files: read('# One\n\nBody.\n') },
  { id: 'empty frontmatter', files: read('---\n---\nBody.\n') },
  { id: 'frontmatter that is never closed', files: read('---\nname: one\ndescription: What it does.\n') },
  { id: 'nothing behind the frontmatter', files: read('---\nname: one\ndescription: What it does.\n---') },
  { id: 'blank line before the frontmatter', files: read(`\n${skill('one')}`) },
  { id: 'byte order mark', files: read(`\ufeff${skill('one')}`) },
  { id: 'carriage returns', files: read(skill('one').replaceAll('\n', '\r\n')) },
  {
    id: 'tab in the frontmatter',
    files: read('---\nname: one\ndescription: What it does.\nmetadata:\n\ta: b\n---\nBody.\n'),
  },
  {
    id: 'broken YAML beside good fields',
    files: read('---\nname: one\ndescription: What it does.\nother: [a, {\n---\nBody.\n'),
  },
  { id: 'a key twice', files: read('---\nname: one\nname: two\ndescription: What it does.\n---\nBody.\n') },
  { id: 'unknown fields', files: read(skill('one', undefined, 'colour: blue\nhooks:\n  Stop: []\n')) },
  { id: 'not for models', files: read(skill('one', undefined, 'disable-model-invocation: true\n')) },
  { id: 'not for people', files: read(skill('one', undefined, 'user-invocable: false\n')) },
  { id: 'empty file', files: read('') },
]

/** Trees by subject. What a program finds in each is recorded. */
export const groups = { places, names, descriptions, frontmatter }
export const trees = Object.values(groups).flat()

/**
 * Returns a tree for each folder that only one program is asked about, such as the folders of its older releases.
 * @param {readonly string[]} [own] folders of skills, below `project/` or `home/` @returns {readonly Tree[]}
 */
export const placeTrees = (own = []) => own.map(folder => ({ id: `place ${folder}`, files: at(folder) }))

/**
 * Returns skills with descriptions of one length, named `a01` and so on. @param {string} letter @param {number} count
 * @param {number} length of each description
 */
const many = (letter, count, length, folder = 'project/@') =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const name = `${letter}${`${index + 1}`.padStart(`${count}`.length, '0')}`
      return [`${folder}/skills/${name}/SKILL.md`, skill(name, 'd'.repeat(length))]
    }),
  )

/**
 * Trees that show how skills are listed to a model: whole, cut, by name only, or not at all. @type {readonly Tree[]}
 */
export const listings = [
  { id: 'description of 500 characters', files: read(skill('one', 'd'.repeat(500))) },
  { id: 'description of 1,600 characters', files: read(skill('one', 'd'.repeat(1600))) },
  { id: 'description of 5,000 characters', files: read(skill('one', 'd'.repeat(5000))) },
  { id: 'tags and signs in the description', files: read(skill('one', 'Reads <b>, </skill> & "more".')) },
  { id: 'when to use it', files: read(skill('one', undefined, 'when_to_use: When asked.\n')) },
  { id: 'not for models', files: read(skill('one', undefined, 'disable-model-invocation: true\n')) },
  { id: 'not for people', files: read(skill('one', undefined, 'user-invocable: false\n')) },
  { id: 'for a sub-agent', files: read(skill('one', undefined, 'context: fork\n')) },
  { id: 'for files that are not touched', files: read(skill('one', undefined, 'paths: "*.css"\n')) },
  { id: '60 skills of 1,000 characters', files: many('a', 60, 1000) },
  { id: '60 skills of 2,000 characters', files: many('a', 60, 2000) },
  { id: '400 skills of 100 characters', files: many('a', 400, 100) },
  { id: '40 long ones, then 40 short ones', files: { ...many('a', 40, 1000), ...many('z', 40, 50) } },
  { id: '30 of home, then 30 of the project', files: { ...many('a', 30, 1000, 'home/@'), ...many('z', 30, 1000) } },
]
