// @ts-check

/**
 * Skill as it is listed to a model. Without a description, only its name is.
 * @typedef {{ name: string, description: string }} Listed
 */

/** Reads skills from lines `- name: description`. @param {string} text @returns {readonly Listed[]} */
export function skillLines(text) {
  const lines = text.matchAll(/^- (.+?)(?: \([^()]*\))?(?:: (.*))?$/gm)
  return [...lines].map(([, name = '', description = '']) => ({ name, description }))
}

/**
 * Reads skills between tags. A description may be missing. Where tags stand on lines of their own, the level behind a
 * description is not a part of it. @param {string} text @returns {readonly Listed[]}
 */
export function taggedSkills(text) {
  const skills = text.matchAll(
    /<skill>\s*<name>\n?([^]*?)\n?<\/name>(?:\s*<description>(?:\n([^]*?)(?: \((?:project|user|bundled|extension)\))?\n|([^]*?))<\/description>)?/g,
  )
  return [...skills].map(([, name = '', onLine, description = '']) => ({ name, description: onLine ?? description }))
}

/** Reads skills from lines with a path below each. @param {string} text @returns {readonly (Listed & { path: string })[]} */
export function skillsWithPath(text) {
  const skills = text.matchAll(/^- (.+?): ([^]*?)\n {2}Path: (.*)$/gm)
  return [...skills].map(([, name = '', description = '', path = '']) => ({ name, description, path }))
}

/** Reads skills that are listed by name alone, in one line. @param {string} text @returns {readonly Listed[]} */
export function namedSkills(text) {
  const [, names = ''] =
    /(?:^Additional skills available \(invoke by name\)|(?<![^ \n])Available skills): (.*?)\.?$/m.exec(text) ?? []
  return names === '' ? [] : names.split(', ').map(name => ({ name, description: '' }))
}

/** Reads the skills of a listing in any of these forms. @param {string} text @returns {readonly Listed[]} */
export function listedSkills(text) {
  const withPath = skillsWithPath(text)
  return withPath.length > 0 ? withPath : [...skillLines(text), ...taggedSkills(text), ...namedSkills(text)]
}

/**
 * Describes how much of each description is listed: `whole`, `name only`, the number of characters and the mark after
 * them, or the text itself if it is different. Consecutive names with the same result are put together.
 * @param {readonly Listed[]} listed in the order of the listing
 * @param {import('./trees.mjs').Tree} tree
 * @param {boolean} [sorted] sort by name, if the order of a program varies
 * @returns {readonly (readonly [how: string, names: string])[]} names separated by spaces
 */
export function toldOf(listed, { files }, sorted = false) {
  const descriptions = new Map(
    Object.values(files).map(text => [
      /^name: (.*)$/m.exec(`${text}`)?.[1] ?? '',
      /^description: (.*)$/m.exec(`${text}`)?.[1] ?? '',
    ]),
  )
  /** @type {[how: string, names: string][]} */
  const told = []
  const inOrder = sorted ? listed.toSorted((a, b) => (a.name < b.name ? -1 : 1)) : listed
  for (const { name, description } of inOrder) {
    const whole = descriptions.get(name)
    // The skill comes with the program.
    if (whole === undefined) continue
    const how = howTold(description, whole)
    const last = told.at(-1)
    if (last?.[0] === how) last[1] += ` ${name}`
    else told.push([how, name])
  }
  return told
}

/** @param {string} told @param {string} whole */
function howTold(told, whole) {
  if (told === whole) return 'whole'
  if (told === '') return 'name only'
  let kept = 0
  while (kept < whole.length && told[kept] === whole[kept]) kept++
  const rest = told.slice(kept)
  if (kept === whole.length) return `whole, then ${JSON.stringify(rest)}`
  // A cut text ends with a mark of at most three characters.
  if (rest.length > 3) return JSON.stringify(told)
  return `${kept} characters${rest === '' ? '' : `, then ${JSON.stringify(rest)}`}`
}
