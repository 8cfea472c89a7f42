export interface Gate {
  readonly opened: Promise<void>
  open(): void
}

/** Makes a promise that the test itself resolves. */
export function gate(): Gate {
  let open = (): void => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { opened, open }
}
