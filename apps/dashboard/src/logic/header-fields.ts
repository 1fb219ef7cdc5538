/** The fields of a header, unfolded, in their order. Names may repeat. */
export function fieldsOf(header: string): (readonly [name: string, value: string])[] {
  const fields: [string, string][] = [];
  for (const line of header.split('\r\n')) {
    const last = fields.at(-1);
    if ((line.startsWith(' ') || line.startsWith('\t')) && last !== undefined) last[1] += ` ${line.trim()}`;
    else {
      const colon = line.indexOf(':');
      if (colon > 0) fields.push([line.slice(0, colon), line.slice(colon + 1).trim()]);
    }
  }
  return fields;
}
