/** Escapes text for HTML, between tags and in quoted attributes. */
export function escapedHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
