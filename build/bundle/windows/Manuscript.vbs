' Starts Manuscript without a window of its own; its page opens in the browser. A file that is opened with it comes as the argument.
Option Explicit
Dim here, arguments, environment

here = CreateObject("Scripting.FileSystemObject").GetParentFolderName(WScript.ScriptFullName)
arguments = """" & here & "\lib\bin\manuscript.js"" app"
If WScript.Arguments.Count > 0 Then arguments = arguments & " """ & WScript.Arguments(0) & """"

' Else Node would leave compiled code in the temporary folder.
On Error Resume Next
Set environment = CreateObject("WScript.Shell").Environment("PROCESS")
environment("NODE_DISABLE_COMPILE_CACHE") = "1"
On Error GoTo 0

' Not by Run, which replaces every %NAME% in what it is given: a folder or a file may have such a name. 0 is a hidden window.
CreateObject("Shell.Application").ShellExecute here & "\lib\node.exe", arguments, "", "open", 0
