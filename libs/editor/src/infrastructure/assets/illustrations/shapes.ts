/** Shapes of SVG, short to write. */

export const rect = (x: number, y: number, width: number, height: number, fill: string, radius = 0): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`;

export const faded = (opacity: number, content: string): string => `<g opacity="${opacity}">${content}</g>`;

export const circle = (x: number, y: number, radius: number, fill: string, more = ''): string =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}" ${more}/>`;

export const oval = (x: number, y: number, width: number, height: number, fill: string, more = ''): string =>
  `<ellipse cx="${x}" cy="${y}" rx="${width}" ry="${height}" fill="${fill}" ${more}/>`;

export const path = (shape: string, fill: string, more = ''): string => `<path d="${shape}" fill="${fill}" ${more}/>`;

export const line = (shape: string, color: string, width: number, more = ''): string =>
  `<path d="${shape}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" ${more}/>`;

/** A door with a round top, whose feet stand at `y`. */
export const arch = (x: number, y: number, width: number, height: number, fill: string): string =>
  path(
    `M${x - width / 2} ${y}V${y - height + width / 2}A${width / 2} ${width / 2} 0 0 1 ${x + width / 2} ${y - height + width / 2}V${y}Z`,
    fill,
  );

export const moved = (x: number, y: number, content: string, more = ''): string =>
  `<g transform="translate(${x} ${y}) ${more}">${content}</g>`;

/** From above to below. */
export const gradient = (id: string, from: string, to: string): string =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`;

/** A leaf on a stem that stands at 0 0, as high as `height`. */
export const leaf = (height: number, width: number, fill: string, turn: number): string =>
  `<g transform="rotate(${turn})">${path(
    `M0 0C${-width} ${-height * 0.35} ${-width * 0.8} ${-height * 0.8} 0 ${-height}C${width * 0.8} ${-height * 0.8} ${width} ${-height * 0.35} 0 0Z`,
    fill,
  )}</g>`;
