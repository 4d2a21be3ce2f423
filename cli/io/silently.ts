/** Runs a function of a library that prints to the console itself: nothing may pass by the screens of the program. */
export function silently<T>(run: () => T): T {
  const { error } = console;
  console.error = () => undefined;
  try {
    return run();
  } finally {
    console.error = error;
  }
}
