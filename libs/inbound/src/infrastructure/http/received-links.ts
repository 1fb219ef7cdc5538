/** The paths of links that need no API key. */
export function sourcePath(emailId: string): string {
  return `/shared/received/${emailId}/raw`;
}

export function attachmentPath(emailId: string, attachmentId: string): string {
  return `/shared/received/${emailId}/attachments/${attachmentId}`;
}
