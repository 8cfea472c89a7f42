// @ts-check
// #region module
/** Distribution that it changes. Default: `standard`. */
export const base = 'claude-code'

/**
 * Makes `claude-code` with descriptions of twice the length, and without embedded commands and the skill release.
 * @type {import('@skills/distributions/internal').DistributionFunction}
 */
export default function acme(options, claudeCode) {
  const { rules: { deny = [], ...rules } = {} } = options
  return claudeCode({
    ...options,
    listing: { maxDescription: 500, ...options.listing },
    shell: false,
    rules: { ...rules, deny: [...deny, 'Skill(release)'] },
  })
}
// #endregion module
