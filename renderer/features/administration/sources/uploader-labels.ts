/** Who brings evidence in, in words. */
export const UPLOADER_WORDS = {
  user: 'uploaderUser',
  service: 'uploaderService',
  cli: 'uploaderCli',
  internal: 'uploaderInternal',
} as const
