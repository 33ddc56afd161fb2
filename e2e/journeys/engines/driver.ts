/** The few things the one journey needs from a browser, whatever its engine. */
export interface Driver {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Clicks the element that `selector` finds, as a person's pointer does. */
  click(selector: string): Promise<void>;
  /** Types into the element that `selector` finds. */
  type(selector: string, text: string): Promise<void>;
  /** Runs the body of a function in the page and gives what it returns. */
  run<T>(body: string, ...args: unknown[]): Promise<T>;
  close(): Promise<void>;
}

/** Waits until the body of a function gives something true in the page. */
export async function until<T>(driver: Driver, what: string, body: string, ...args: unknown[]): Promise<T> {
  const end = Date.now() + 20_000;
  let last: unknown;
  while (Date.now() < end) {
    last = await driver.run(body, ...args);
    if (last) return last as T;
    // The page has no event for an outside driver: ask again at its next frame.
    await driver.run("return new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(true), 50)))");
  }
  throw new Error(`waited in vain until ${what}`);
}
