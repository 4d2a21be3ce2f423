import { useEffect, useState } from 'preact/hooks';

/** What the fragment of the address names, each by its id or alias: `#workspace=acme&board=…&card=…`. */
export interface Route {
  readonly workspace?: string | undefined;
  /** Absent: the first. */
  readonly board?: string | undefined;
  readonly card?: string | undefined;
}

const routeOf = (hash: string): Route => Object.fromEntries(new URLSearchParams(hash.slice(1)));

export function hrefOf(route: Route): string {
  return `#${new URLSearchParams(Object.entries(route).filter(([, value]) => value !== undefined))}`;
}

/** Changes what is given of the address. */
export function goTo(change: Route): void {
  location.hash = hrefOf({ ...routeOf(location.hash), ...change });
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const look = () => setHash(location.hash);
    addEventListener('hashchange', look);
    return () => removeEventListener('hashchange', look);
  }, []);
  return routeOf(hash);
}
