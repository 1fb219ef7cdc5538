const megabyte = 1_000_000;

/** Size of the chunks in which a file is stored. */
export const storedChunkBytes = 512 * 1024;

export const importLimits = {
  maxFileBytes: 100 * megabyte,
  /** Of one team, queued and in progress. One of them is in progress at a time. */
  maxUnfinished: 10,
  maxColumns: 1_000,
  maxRecordBytes: megabyte,
  maxSegments: 100,
  maxTopics: 100,
  /** Refused rows that are kept for the report of one import. All of them are counted. */
  maxKeptRefusals: 100_000,
} as const;
