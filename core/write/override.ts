type Methods = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

/** The object that a wrapper forwards to. */
interface Wrapper {
  readonly wrapped: object;
}

/** Prototypes with forwarding methods, by class: all instances have the same methods. */
const prototypes = new WeakMap<object, object>();

/**
 * A repository with some methods replaced; other calls are forwarded. O(methods replaced).
 *
 * @param methods the replacements
 */
export function override<R extends object>(repository: R, methods: Partial<R>): R {
  const wrapper = Object.create(forwardingTo(repository)) as object;
  return Object.assign(wrapper, { wrapped: repository }, methods) as R;
}

function forwardingTo(repository: object): object {
  const type = Object.getPrototypeOf(repository) as object;
  // Object literals share one prototype, so theirs are not cached.
  if (type === Object.prototype) return forwarding(repository);
  const known = prototypes.get(type) ?? forwarding(repository);
  prototypes.set(type, known);
  return known;
}

function forwarding(repository: object): object {
  const methods: Record<string, unknown> = {};
  for (const name of methodNames(repository)) {
    methods[name] = function (this: Wrapper, ...args: readonly unknown[]): unknown {
      return (this.wrapped as Methods)[name]!(...args);
    };
  }
  return methods;
}

function methodNames(repository: object): Set<string> {
  const names = new Set<string>();
  let at: object | null = repository;
  while (at !== null && at !== Object.prototype) {
    for (const name of Object.getOwnPropertyNames(at)) {
      if (name !== 'constructor' && typeof Reflect.get(at, name, repository) === 'function') names.add(name);
    }
    at = Object.getPrototypeOf(at) as object | null;
  }
  return names;
}
