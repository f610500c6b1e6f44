import type { SHELLS } from "../rows/choices.ts";

// Each asks `manuscript complete` at every TAB and knows nothing of the commands itself, so that it stays right when
// they change. A script runs in its reader's own shell: nothing that is typed is ever evaluated.

/** The completion script of each shell. */
export const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], string>> = {
  // COMP_WORDS is cut at =, so that only the part of a value behind it is replaced. Works with bash 3.2, without compopt.
  bash: `# bash completion for manuscript; read it with: eval "$(manuscript completion bash)"
_manuscript() {
  local cur=\${COMP_WORDS[COMP_CWORD]} reply
  COMPREPLY=()
  while IFS=$'\\t' read -r reply _; do
    case $reply in
      :files) _manuscript_else default ;;
      :folders) _manuscript_else dirnames ;;
      :programs) COMPREPLY=($(compgen -c -- "$cur")) ;;
      *) [[ $cur == -* ]] || reply=\${reply#--*=}; COMPREPLY+=("$reply") ;;
    esac
  done < <(command manuscript complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
_manuscript_else() {
  if type compopt &>/dev/null; then compopt -o "$1" 2>/dev/null; fi
}
if type compopt &>/dev/null; then
  complete -o nosort -F _manuscript manuscript 2>/dev/null || complete -F _manuscript manuscript
else
  complete -o default -F _manuscript manuscript
fi
`,
  // In a folder of $fpath the file is the function's body: it then calls what it has defined.
  zsh: `#compdef manuscript
# zsh completion for manuscript; read it with: source <(manuscript completion zsh)
_manuscript() {
  local value about
  local -a candidates
  while IFS=$'\\t' read -r value about; do
    case $value in
      :files) compset -P '--*='; _files; return ;;
      :folders) compset -P '--*='; _files -/; return ;;
      :programs) _command_names -e; return ;;
      *) candidates+=("$value:$about") ;;
    esac
  done < <(command manuscript complete -- "\${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)
  (( \${#candidates} )) && _describe -V 'manuscript' candidates
}
if [[ \${funcstack[1]} == _manuscript ]]; then
  _manuscript "$@"
else
  (( \${+functions[compdef]} )) || { autoload -Uz compinit && compinit; }
  compdef _manuscript manuscript
fi
`,
  fish: `# fish completion for manuscript; read it with: manuscript completion fish | source
function __manuscript_complete
    set -l words (commandline -opc)
    set -l token (commandline -ct)
    for ending in '' '"' "'"
        # a quote that is still open is closed to read the word
        set -l plain (string unescape -- $token$ending 2>/dev/null); and set token $plain; and break
    end
    set -l option (string match -r -- '^--[^=]+=' $token)
    set -l place (string replace -r -- '^--[^=]+=' '' $token)
    for line in (command manuscript complete -- $words[2..] $token 2>/dev/null)
        switch $line
            case :files
                string replace -r -- '^' "$option" (__fish_complete_path $place)
            case :folders
                string replace -r -- '^' "$option" (__fish_complete_directories $place)
            case :programs
                __fish_complete_command
            case '*'
                echo $line
        end
    end
end
complete -c manuscript -e
complete -c manuscript -f -k -a '(__manuscript_complete)'
`,
};
