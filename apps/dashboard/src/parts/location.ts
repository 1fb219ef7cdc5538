import { useParams, useSearch } from '@tanstack/react-router';

type Values = Readonly<Record<string, string | undefined>>;

/** The parameters in the path of the page, such as `emailId`. */
export function usePathValues(): Values {
  return useParams({ strict: false });
}

/** The values in the query string. */
export function useSearchValues(): Values {
  return useSearch({ strict: false });
}
