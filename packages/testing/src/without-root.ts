/** User and group that own nothing, on every Unix. */
const unprivileged = 65534

/**
 * Runs `work` without the rights of the superuser, so that permissions of files count; other users have none to give
 * up. They are the whole process's: nothing else may run meanwhile that needs them.
 */
export async function withoutRoot<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work()
  process.setegid?.(unprivileged)
  process.seteuid?.(unprivileged)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
    process.setegid?.(0)
  }
}
