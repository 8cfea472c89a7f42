declare const SKILLS_CLI_VERSION: string | undefined

/** Version of the package, which the build inserts. */
export const version: string = typeof SKILLS_CLI_VERSION === 'string' ? SKILLS_CLI_VERSION : 'development'
