/**
 * Schema of any library with the Standard Schema interface (standardschema.dev, version 1), such as zod, valibot,
 * arktype and `@skills/core/schema`.
 */
export interface StandardSchema<In = unknown, Out = In> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Out> | Promise<StandardResult<Out>>
    readonly types?: { readonly input: In; readonly output: Out } | undefined
  }
}

export type StandardResult<Out> =
  | { readonly value: Out; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

type TypesOf<S extends StandardSchema> = NonNullable<S['~standard']['types']>

/** Type of the values that a schema accepts. */
export type InputOf<S extends StandardSchema> = TypesOf<S>['input']

/** Type of the values that a schema returns: converted, and with defaults. */
export type OutputOf<S extends StandardSchema> = TypesOf<S>['output']
