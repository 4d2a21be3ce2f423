/** What the fragment of the address names, the workspace by its id or alias: `#workspace=acme&board=…&card=…`. */
export type Route = Readonly<Partial<Record<'workspace' | 'board' | 'card', string | undefined>>>;

export const routeNow = (): Route => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

/** Whether an address is one in a workspace. Where it names none, it is in the first that there is. */
export const isIn = ({ id, alias }: Readonly<{ id: string; alias: string }>, { workspace }: Route) =>
  [undefined, id, alias].includes(workspace);

export const hrefOf = (route: Route) =>
  `#${new URLSearchParams(Object.entries(route).filter((one): one is [string, string] => one[1] !== undefined))}`;

/** Changes what is given of the address. */
export const goTo = (change: Route) => void (location.hash = hrefOf({ ...routeNow(), ...change }));

/** One for each service of a host. */
const KEY = `espalier.token ${new URL('..', import.meta.url).pathname}`;

/** A token that the address carries. It is to stay neither there nor in the history. */
export const givenToken = () => /^#token=(.+)$/.exec(location.hash)?.[1];

/** The token that the address carries, which it loses by that, else the one of this tab. */
export function takeToken(): string | null {
  const given = givenToken();
  if (given !== undefined) {
    keepToken(given);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem(KEY);
}

export const keepToken = (token: string | null) =>
  token === null ? sessionStorage.removeItem(KEY) : sessionStorage.setItem(KEY, token);
