// Refuses to publish from anywhere but a clean clone of the repository that package.json names: the links of the
// package lead there. `npm publish` runs it first.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const git = (...words) => execFileSync('git', words, { encoding: 'utf8' }).trim();

/** The address of a repository as HOST/PATH, in whichever form git and npm write it. */
const placeOf = (address) =>
  address
    .replace(/^git\+/, '')
    .replace(/^[a-z]+:\/\//, '')
    .replace(/^[^@/]+@/, '')
    .replace(/^([^/:]+):(?!\d+\/)/, '$1/')
    .replace(/(?:\.git)?\/?$/, '')
    .toLowerCase();

const { repository } = JSON.parse(readFileSync('package.json', 'utf8'));
const remotes = git('remote', '--verbose').split('\n');
const places = remotes.filter((line) => line !== '').map((line) => placeOf(line.split(/\s+/)[1]));
if (!places.includes(placeOf(repository.url))) {
  console.error(`package.json names the repository ${repository.url}, which is no git remote here.`);
  console.error('Publish from a clone of it, or name the repository that this is: npm pkg set repository.url=...');
  process.exit(1);
}
if (git('status', '--porcelain') !== '') {
  console.error('There are changes that are not committed: what is published has to be in the repository.');
  process.exit(1);
}
