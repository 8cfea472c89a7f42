// @ts-check
// #region module
/** Which distribution it changes; without this `standard`. */
export const base = 'claude-code'

/**
 * As `claude-code`, with twice as much of each description, no embedded command, and no release.
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
