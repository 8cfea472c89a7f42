/** Id of a user and group that own nothing, on every Unix. */
const unprivileged = 65534

/**
 * Runs `work` without the rights of the superuser, so that file permissions apply. For any other user it only runs
 * `work`. The change of user affects the whole process, so no other work that needs the superuser may run meanwhile.
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
