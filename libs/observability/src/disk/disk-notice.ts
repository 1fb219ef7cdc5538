import { hostname } from 'node:os';
import { Notice } from '#kernel';

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1024 ** 2).toLocaleString('en')} MB`;

/**
 * The notice of a nearly full disk. Its key allows one notice per machine and day, for any number of processes and
 * changes.
 */
export function diskNotice(dataDir: string, freeBytes: number, wantedBytes: number, now: Date): Notice {
  const host = hostname();
  return {
    key: `disk-low:${host}:${now.toISOString().slice(0, 10)}`,
    subject: `Postrider on ${host} accepts no mail: its disk is nearly full`,
    text: [
      `The disk of DATA_DIR (${dataDir}) on ${host} has ${megabytes(freeBytes)} left. Below ${megabytes(wantedBytes)}, no new mail is accepted. Mail that was already accepted is delivered.`,
      'Free up some space. Mail is accepted again automatically once there is room.',
    ].join('\n\n'),
  };
}
