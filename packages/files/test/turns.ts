/** Counts the turns that the rest of the process gets while `work` runs. */
export async function turnsDuring<T>(
  work: () => T | Promise<T>,
): Promise<{ readonly turns: number; readonly result: T }> {
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const result = await work()
  isOver = true
  return { turns, result }
}
