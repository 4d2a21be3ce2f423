import { createClient } from 'espalier/client';
import { render } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { textIn, useForm } from './form.tsx';
import { Home } from './home.tsx';
import { codeOf, forgetToken, keepToken, messageOf, takeToken, type Me } from './session.ts';

function App() {
  const [token, setToken] = useState(takeToken);
  const [me, setMe] = useState<Me | null>(null);
  const [problem, setProblem] = useState('');
  const session = useMemo(() => token && createClient({ url: location.origin, token }), [token]);

  const signOut = (why = '') => {
    forgetToken();
    setProblem(why);
    setToken(null);
  };
  /** @param error null: all is well again */
  const fail = (error: unknown) => {
    if (error === null) setProblem('');
    else if (codeOf(error) === 'unauthenticated') signOut('This token signs nobody in.');
    else setProblem(messageOf(error));
  };
  useEffect(() => {
    // An address with a token may be opened in a tab that shows the page already.
    const look = () => setToken(takeToken());
    addEventListener('hashchange', look);
    return () => removeEventListener('hashchange', look);
  }, []);
  useEffect(() => {
    setMe(null);
    if (session) session.me.get().then(setMe, fail);
  }, [session]);

  return (
    <>
      {problem !== '' && <p role="alert">{problem}</p>}
      {!token && <SignIn onToken={setToken} />}
      {token && session && me && <Home key={token} {...{ session, token, me }} onSignOut={signOut} onError={fail} />}
    </>
  );
}

function SignIn({ onToken }: { readonly onToken: (token: string) => void }) {
  const { onSubmit } = useForm(async (given) => {
    const token = textIn(given, 'token').trim();
    keepToken(token);
    onToken(token);
  });
  return (
    <main class="lone">
      <h1>Sign in</h1>
      <form onSubmit={onSubmit}>
        <label>
          API token
          <input name="token" type="password" autocomplete="off" required />
        </label>
        <p class="quiet">The first start of the service prints one. This tab keeps it until it is closed.</p>
        <button class="main">Sign in</button>
      </form>
    </main>
  );
}

render(<App />, document.getElementById('app')!);
