import {
  abortError,
  defineProvider,
  type Command,
  type LoadResult,
  type Note,
  type Provider,
  type Source,
  type SourceCall,
} from '@skills/core'
import { fileSource } from '@skills/files/source'
import { NestedFolders } from './nested-folders.js'
import type { ActivationOptions } from './options.js'

/** Makes the source of skills in folders that an agent comes to. See docs/reference/folders.md, "Nested skills". */
export function nestedSource({
  folders,
  layout,
  clash = 'nested-qualified',
  touched = [],
  sharedReads,
}: ActivationOptions): Provider<'source'> {
  // Within one source, providers are sorted by `order`, and the first one gets the plain name.
  const order = clash === 'deepest-wins' ? -1 : 1
  return defineProvider({
    kind: 'source',
    id: 'nested',
    order,
    async setup(ctx) {
      const nested = new NestedFolders(ctx.host, { folders, layout })
      nested.look(touched)
      // Registered before the first wait, so that no touch is missed.
      ctx.hook('file:touched', ({ paths }) => {
        const found = nested.look(paths)
        if (found.length > 0) ctx.invalidate(found, 'discovery')
      })
      const files = fileSource({
        id: 'nested',
        source: 'project',
        order,
        layout,
        sharedReads,
        roots: () => nested.roots(),
      })
      return new NestedSource(nested, await files.setup(ctx))
    },
  })
}

/** File source that looks again at the known folders before it reads their content. */
class NestedSource implements Source {
  readonly source = 'project'

  constructor(
    private readonly nested: NestedFolders,
    private readonly files: Source,
  ) {}

  async list(call: SourceCall): Promise<LoadResult> {
    if (call.signal.aborted) throw abortError(call.signal)
    this.nested.lookAgain()
    return this.files.list(call)
  }

  async refresh(paths: readonly string[] | undefined, call: SourceCall): Promise<LoadResult | undefined> {
    if (call.signal.aborted) throw abortError(call.signal)
    this.nested.lookAgain(paths)
    return this.files.refresh?.(paths, call)
  }

  watched(): readonly string[] {
    return this.files.watched?.() ?? []
  }

  async explain(
    name: string,
    command: Command | undefined,
    call: { readonly signal: AbortSignal },
  ): Promise<readonly Note[]> {
    return (await this.files.explain?.(name, command, call)) ?? []
  }
}
