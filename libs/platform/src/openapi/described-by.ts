import type { ApiDescription } from '../api-description/index.js';

type Load = () => Promise<{ readonly apiDescription: ApiDescription }>;

const sources: Load[] = [];

/**
 * Names the file that describes the operations of a controller. It is loaded when somebody asks for the description of
 * the API, so the texts and examples take no memory before.
 */
export function DescribedBy(load: Load): ClassDecorator {
  return () => void sources.push(load);
}

/** The descriptions of all controllers that are loaded by now. */
export async function apiDescriptions(): Promise<readonly ApiDescription[]> {
  return (await Promise.all(sources.map((load) => load()))).map(({ apiDescription }) => apiDescription);
}
