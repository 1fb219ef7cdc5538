/** The topic of notifications to workers: whose mail is slowed has changed. */
export const paceChanged = 'sender-pace';
