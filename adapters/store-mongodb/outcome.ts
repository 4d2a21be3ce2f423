/** How a call has ended. */
export type Outcome<T = unknown> = { readonly value: T } | { readonly error: unknown };

export async function outcomeOf<T>(call: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await call() };
  } catch (error) {
    return { error };
  }
}
