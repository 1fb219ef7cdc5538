import type { ApiDescription } from '../api-description/index.js';

type Load = () => Promise<{ readonly apiDescription: ApiDescription }>;

const sources: Load[] = [];

/**
 * Names the file that describes the operations of a controller. It is loaded when the API document is first requested, so that
 * the texts and examples take no memory before.
 */
export function DescribedBy(load: Load): ClassDecorator {
  return () => void sources.push(load);
}

/** The descriptions of all loaded controllers. */
export async function apiDescriptions(): Promise<readonly ApiDescription[]> {
  const descriptions: ApiDescription[] = [];
  // One after the other: Jest cannot link two modules at once that share a third one (docs/decisions/test-runner.md).
  for (const load of sources) descriptions.push((await load()).apiDescription);
  return descriptions;
}
