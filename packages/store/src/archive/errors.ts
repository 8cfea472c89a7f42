/** All error codes of archives, with when they are thrown. */
export const archiveErrorCodes = {
  E_ARCHIVE_AMBIGUOUS:
    'two entries have one name, names that some disks take for one, or the same bytes: programs would unpack different files',
  E_ARCHIVE_CHANGED: 'the archive was written while it was read',
  E_ARCHIVE_FORMAT: 'the file is not a zip or tar archive, or is damaged',
  E_ARCHIVE_LIMIT:
    'the archive has more entries, longer or deeper names, larger headers, or unpacks to more bytes than allowed',
  E_ARCHIVE_UNSAFE: 'an entry has a name that leads out of the archive',
} as const

type ArchiveErrorCodes = { readonly [K in keyof typeof archiveErrorCodes]: true }

declare module '@skills/core' {
  interface ErrorCodes extends ArchiveErrorCodes {}
}
