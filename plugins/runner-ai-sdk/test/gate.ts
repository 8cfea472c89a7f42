export interface Gate {
  readonly opened: Promise<void>
  open(): void
}

/** Something to wait for that the test itself lets happen. */
export function gate(): Gate {
  let open = (): void => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { opened, open }
}
