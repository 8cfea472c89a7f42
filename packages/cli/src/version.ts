declare const SKILLS_CLI_VERSION: string | undefined

/** The package's version, written in when it is built. */
export const version: string = typeof SKILLS_CLI_VERSION === 'string' ? SKILLS_CLI_VERSION : 'development'
