// @ts-check

/**
 * A skill as a model is told of it; without a description its name stands alone.
 * @typedef {{ name: string, description: string }} Listed
 */

/** Skills in lines, `- name: description`. @param {string} text @returns {readonly Listed[]} */
export function skillLines(text) {
  const lines = text.matchAll(/^- (.+?)(?: \([^()]*\))?(?:: (.*))?$/gm)
  return [...lines].map(([, name = '', description = '']) => ({ name, description }))
}

/** Skills between tags. @param {string} text @returns {readonly Listed[]} */
export function taggedSkills(text) {
  const skills = text.matchAll(/<skill>\s*<name>([^]*?)<\/name>\s*<description>([^]*?)<\/description>/g)
  return [...skills].map(([, name = '', description = '']) => ({ name, description }))
}

/**
 * How much of the descriptions is told: `whole`, `name only`, the number of characters and the mark that follows, or the
 * text where it is another. Names that are told in the same way one after the other stand together.
 * @param {readonly Listed[]} listed in the order that they are told in
 * @param {import('./trees.mjs').Tree} tree
 * @param {boolean} [sorted] by their names, where the order of a program is not fixed
 * @returns {readonly (readonly [how: string, names: string])[]} the names with spaces between them
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
    // It comes with the program.
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
  // A cut ends with a mark, at most.
  if (rest.length > 3) return JSON.stringify(told)
  return `${kept} characters${rest === '' ? '' : `, then ${JSON.stringify(rest)}`}`
}
