/** View that takes the files that are dropped on the page. */
export interface DropTaker {
  /** Called with true when files are above the page, and with false when they have left it. */
  readonly onOver: (isOver: boolean) => void
  readonly onDrop: (data: DataTransfer) => void
}

let taker: DropTaker | undefined

/** Has a view take the files that are dropped anywhere on the page, until the returned function is called. */
export function takeDrops(given: DropTaker): () => void {
  taker = given
  return () => {
    if (taker === given) taker = undefined
  }
}

/** Keeps the page open when files are dropped on it. The browser would show the files in its place. */
export function watchDrops(): void {
  const onFiles = (type: 'dragover' | 'drop', then: (data: DataTransfer) => void): void =>
    window.addEventListener(type, event => {
      const data = event.dataTransfer
      if (data?.types.includes('Files') !== true) return
      event.preventDefault()
      then(data)
    })
  onFiles('dragover', data => {
    if (taker === undefined) data.dropEffect = 'none'
    taker?.onOver(true)
  })
  onFiles('drop', data => {
    taker?.onOver(false)
    taker?.onDrop(data)
  })
  window.addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) taker?.onOver(false)
  })
}
