import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Field, Form, textIn } from './form.tsx';
import { Home } from './home.tsx';
import { keepToken, takeToken } from './session.ts';

function App() {
  const [token, setToken] = useState(takeToken);
  const [problem, setProblem] = useState('');
  const signIn = (given: string | null, why = '') => {
    keepToken(given);
    setProblem(why);
    setToken(given);
  };
  // An address with a token may be opened in a tab that shows the page already.
  useEffect(() => addEventListener('hashchange', () => setToken(takeToken())), []);
  if (token !== null) return <Home key={token} token={token} onSignOut={(why) => signIn(null, why)} />;
  return (
    <main class="lone">
      <h1>Sign in</h1>
      {problem !== '' && <p role="alert">{problem}</p>}
      <Form onSend={(given) => signIn(textIn(given, 'token'))}>
        <Field label="API token" name="token" type="password" autocomplete="off" required />
        <p class="quiet">The first start of the service prints one. This tab keeps it until it is closed.</p>
        <button class="main">Sign in</button>
      </Form>
    </main>
  );
}

render(<App />, document.getElementById('app')!);
