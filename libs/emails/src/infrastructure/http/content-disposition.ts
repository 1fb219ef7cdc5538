/** The `Content-Disposition` header (RFC 6266), with the file name in the form of RFC 8187. */
export function contentDisposition(filename: string | null): string {
  if (filename === null) return 'attachment';
  const name = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename*=UTF-8''${name}`;
}
