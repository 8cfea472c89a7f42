// Places of files besides the disk, for programs that read skills from there without being a plugin.
export { archiveStore, type ArchiveStoreOptions } from '@skills/store-archive'
export { gitStore, type GitStoreOptions } from '@skills/store-git'
export { download, httpStore, type DownloadOptions, type HttpStoreOptions } from '@skills/store-http'
