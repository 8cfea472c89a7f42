// @ts-check

/** Results of a tool by the words that they begin with. @type {readonly (readonly [RegExp, string])[]} */
const meanings = [
  [/^<skill_content /, '<given>'],
  [/^The user rejected permission|^.*permission requested/, '<asks>'],
  [/^The user has specified a rule which prevents/, '<denied>'],
  [/^(?:Error: )?Skill ".*" not found/, '<unknown>'],
]

/**
 * Returns what the calls of a model did: `<given>`, `<asks>`, `<denied>`, `<unknown>` or the result, and whether the model
 * was told of the skill before.
 * @param {readonly string[]} names @param {readonly string[]} told @param {readonly (string | undefined)[]} results
 */
export const calledAs = (names, told, results) =>
  names.map((name, at) => {
    const result = results[at]
    // Without an allowed skill there is no tool.
    const did = result === undefined ? '<denied>' : meanings.find(([pattern]) => pattern.test(result))?.[1]
    return `${did ?? result}${told.includes(name) ? '' : ' untold'}`
  })
